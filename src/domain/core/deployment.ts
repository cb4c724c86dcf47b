/** Stands in place of a user's name for what belongs to the whole deployment: its linking setting and tuning runs. */
export const DEPLOYMENT = '';
