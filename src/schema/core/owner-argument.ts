/** The description of an argument that names a user. @param who the user's part in the operation, such as "The user whose thread is closed" */
export const describeOwner = (who: string): string =>
  `${who}. Required with an API key for all users. Any other caller acts for one user only, who is the default.`;
