import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createMemory } from '@mnemograph/client';

// Follows a memory from where an earlier process was, and writes each result with its cursor to a file, one a line. It is
// meant to be killed.

const [what = '', file = '', url = '', token = ''] = process.argv.slice(2);
const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
const after = lines.at(-1)?.split(' ')[0];
const memory = createMemory({ url, token });
const options = { after, fromStart: true };
const write = (cursor: string | null | undefined, name: string) =>
  appendFileSync(file, `${cursor} ${name}\n`);

switch (what) {
  case 'events':
    for await (const { cursor, number } of memory.events(options)) write(cursor, String(number));
    break;
  case 'compactions':
    for await (const { cursor, thread } of memory.compactions(options)) {
      if (cursor) write(cursor, thread?.id ?? '');
    }
    break;
  case 'linking':
    for await (const { cursor, stage, link } of memory.linking(options)) {
      if (cursor && stage === 'VERDICT') write(cursor, link?.id ?? '');
    }
}
