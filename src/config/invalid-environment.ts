/** One or more settings are wrong; the message lists all of them. */
export class InvalidEnvironment extends Error {
  override readonly name = 'InvalidEnvironment';
}
