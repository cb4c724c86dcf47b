import { source } from '../../text/pattern.ts';

/** The source of a pattern for what somebody is to the user. It has no groups. */
export const RELATIONS = source`
  (?:(?:great-)?grand|god|step|foster )?(?:mother|father|mum|mom|dad|ma|pa|son|daughter|child)(?:-in-law)?
  |(?:step|half[- ])?(?:sister|brother|sibling)(?:-in-law)?|(?:great-)?(?:uncle|aunt)|aunt(?:ie|y)|cousin|niece|nephew
  |in-law|mam|mama|mummy|mommy|daddy|papa|granny|gran|nan|nann?a|grandad|sis|bro|kid|baby|toddler|twin|(?:eld|young|old)est
  |firstborn|(?:ex-)?(?:wife|husband|boyfriend|girlfriend)|ex|(?:business |training )?partner|hubby|spouse|gf|bf
  |fianc[ée]e?|(?:better|other) half|significant other|friend|bestie|mate|(?:pen ?)?pal|(?:(?:study|gym) )?buddy
  |(?:flat|room|house)-?mate|(?:work|team|desk|class|band)mate|neighbou?r|boss|(?:line )?manager|supervisor|team lead
  |colleague|co-?worker|co-?founder|assistant|intern|mentor|mentee|apprentice|landlord|landlady|teacher|tutor|coach
  |trainer|therapist|doctor|gp|dentist|physio(?:therapist)?|accountant|lawyer|hairdresser|nanny|babysitter|cleaner
  |childminder|au pair|lodger|tenant|client|professor|advis[eo]r
`;

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
