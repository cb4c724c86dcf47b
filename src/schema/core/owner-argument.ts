/** The description of an argument that names a user. @param who the user's part in the operation, such as "The user whose thread is closed" */
export const describeOwner = (who: string): string =>
  `${who}. A caller with an API key for all users must give it; any other caller has one user only, the default.`;
