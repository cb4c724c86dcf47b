import { Badge, inWords } from '../../ui/badge.tsx';
import { Time } from '../../ui/time.tsx';
import { Words } from '../../ui/words.tsx';
import type { OpenFact } from './fact-view.tsx';

const HEADS = ['value', 'change', 'true', 'known'];

/** The beliefs of a history as a table. */
export function History({ history }: { history: OpenFact['history'] }) {
  return (
    <table className="mt-3 block w-full overflow-x-auto text-xs md:table">
      <thead>
        <tr className="border-b border-line text-left text-muted">
          {HEADS.map((head) => (
            <th key={head} scope="col" className="py-1 pr-3 font-medium">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {history.flatMap(({ id, value, versions }) =>
          versions.map((version) => (
            <tr
              key={`${id} ${version.number}`}
              className="border-b border-line align-top last:border-0"
            >
              <td className="py-1 pr-3">
                <Words>{value}</Words>
              </td>
              <td className="py-1 pr-3">
                <Badge>{inWords(version.change)}</Badge>
              </td>
              <td className="py-1 pr-3">
                <Period from={version.validFrom} to={version.validTo} none="never" />
              </td>
              <td className="py-1">
                <Period from={version.recordedAt} to={version.supersededAt} />
              </td>
            </tr>
          )),
        )}
      </tbody>
    </table>
  );
}

type Moment = string | null | undefined;

function Period({ from, to, none = '' }: { from: Moment; to: Moment; none?: string }) {
  if (!from) return none;
  return (
    <>
      <Time at={from} /> – {to ? <Time at={to} /> : 'now'}
    </>
  );
}
