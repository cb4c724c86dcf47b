/** Informal names of relations and the names that keys of facts use: "mum" → "mother". */
export const RELATION_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    mother: 'mum mom mam mama mummy mommy',
    father: 'dad daddy papa',
    grandmother: 'grandma granny gran nan nana nanna',
    grandfather: 'grandpa grandad granddad',
    husband: 'hubby',
    girlfriend: 'gf',
    boyfriend: 'bf',
    sister: 'sis',
    brother: 'bro',
  }).flatMap(([name, others]) => others.split(' ').map((other) => [other, name] as const)),
);
