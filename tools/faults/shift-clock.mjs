// Loaded into a server before all else: on SIGUSR2 its clock goes back an hour, or is set right. Its threads load it too, where Node 20
// knows no TypeScript.

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
