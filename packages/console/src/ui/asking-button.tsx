import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

/** A button that asks before it acts. The question says what would change. */
export function AskingButton({
  label,
  question,
  disabled,
  onYes,
}: {
  label: string;
  question: ReactNode;
  disabled: boolean;
  onYes: () => void;
}) {
  const [isAsking, setAsking] = useState(false);
  const act = () => {
    setAsking(false);
    onYes();
  };
  return (
    <>
      <Button disabled={disabled} onClick={() => setAsking(true)}>
        {label}
      </Button>
      {isAsking && (
        <Dialog title={`${label}?`} onClose={() => setAsking(false)}>
          <div className="flex flex-col gap-3">
            <p>{question}</p>
            <div className="flex justify-end gap-2">
              <Button onClick={() => setAsking(false)}>Cancel</Button>
              <Button look="primary" onClick={act}>
                {label}
              </Button>
            </div>
          </div>
        </Dialog>
      )}
    </>
  );
}
