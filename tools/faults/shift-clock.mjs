// Loaded into a server before everything else: on SIGUSR2 its clock goes back by an hour, or is corrected. It is JavaScript, since the
// server's threads load it, too, and Node 20 cannot run TypeScript there.

const HOUR = 3_600_000;
const RealDate = Date;
const realNow = Date.now;
let offset = 0;

process.on('SIGUSR2', () => {
  offset = offset === 0 ? -HOUR : 0;
});
RealDate.now = () => realNow() + offset;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, values) =>
    values.length === 0 ? new target(target.now()) : new target(...values),
});
