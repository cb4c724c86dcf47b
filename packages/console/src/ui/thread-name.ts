type Named = { title?: string | null | undefined; summary?: string | null | undefined };

/** Who speaks first, at the beginning of a summary. */
const SPEAKER = /^(?:User|Assistant): /;

/** What a thread is called: its title, else how its summary begins. */
export const threadName = ({ title, summary }: Named): string =>
  title ?? summary?.replace(SPEAKER, '') ?? 'Not described yet';
