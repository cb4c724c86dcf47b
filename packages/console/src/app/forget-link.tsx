import { Link } from '@tanstack/react-router';
import { useAddress } from './address.ts';

/** Leads to what would go if something is forgotten. Nothing is erased before the user has said so there. */
export function ForgetLink({ id }: { id: string }) {
  const [{ user }] = useAddress();
  return (
    <Link
      to="/privacy"
      search={{ user, forget: id }}
      className="px-1 text-[13px] text-danger hover:underline"
    >
      Forget …
    </Link>
  );
}
