/**
 * The description of an argument that names a user.
 * @param who the user's part in the operation, such as "The user whose thread is closed"
 * @param unless when a key for all users need not give it
 */
export const describeOwner = (who: string, unless = ''): string =>
  `${who}. Required with an API key for all users${unless && `, unless ${unless}`}. Any other caller acts for one user only, who is the default.`;
