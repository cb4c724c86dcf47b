import { OLDEST_NODE } from '../../config/version.ts';
import { type Finding, findingsAbout } from './finding.ts';

const { ok, problem } = findingsAbout('Node.js');

/** Checks whether this version of Node.js runs the server. @param version such as "20.20.0" */
export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE.split('.').map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return ok(version);
  return problem(`${version} is too old`, `install Node.js ${OLDEST_NODE} or later`);
}
