// Loaded into a server before all else: on SIGUSR2 its clock goes back an hour.

const HOUR = 3_600_000;
const RealDate = Date;
const realNow = Date.now;
let offset = 0;

process.on('SIGUSR2', () => {
  offset -= HOUR;
});
RealDate.now = () => realNow() + offset;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, values: [] | [number]) =>
    values.length === 0 ? new target(target.now()) : new target(...values),
});
