import { Socket } from 'node:net';

/**
 * A socket that sends what was gathered as one piece. `pg` sends a prepared statement as five, and
 * writing five at once costs Node three times as much: a third of all that `remember` costs.
 */
export function openSocket(): Socket {
  const socket = new Socket();
  socket._writev = (pieces, done) => {
    socket._write(
      Buffer.concat(pieces.map(({ chunk }) => chunk as Buffer)),
      'buffer' as BufferEncoding,
      done,
    );
  };
  return socket;
}
