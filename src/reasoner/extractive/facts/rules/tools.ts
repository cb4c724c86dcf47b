import { factKey } from '../../../../domain/facts/fact-key.ts';
import { pattern } from '../../../../language/text/pattern.ts';
import { asCorrections, type Draft, END, liking, NEGATIVE, rule, STOP } from '../text/draft.ts';
import { clauseOf, thingsOf, upTo, withoutTail } from '../text/phrases.ts';
import { CALENDAR, LANGUAGES } from '../text/words.ts';

const KNOWN_LOWER = pattern('i')`
  ^(?:vim|neovim|nvim|emacs|helix|nano|vs ?code|vscode|sublime|zed|intellij|pycharm|webstorm|eclipse|xcode
  |android studio|notepad\+*|obsidian|notion|evernote|onenote|roam|logseq|bear|todoist|trello|asana|jira|linear
  |clickup|monday|slack|teams|discord|zoom|skype|whatsapp|telegram|signal|facebook|instagram|twitter|tiktok|snapchat
  |linkedin|reddit|mastodon|bluesky|pinterest|youtube|spotify|netflix|tidal|deezer|apple music|gmail|outlook
  |proton ?mail|thunderbird|fastmail|chrome|firefox|safari|edge|brave|opera|vivaldi|arc|duckduckgo|google|bing|kagi
  |excel|google sheets|google docs|word|powerpoint|libreoffice|airtable|numbers|figma|sketch|photoshop|illustrator
  |gimp|inkscape|blender|canva|lightroom|procreate|davinci|audacity|ableton|logic|reaper|garageband|windows|linux
  |ubuntu|debian|arch|fedora|mint|macos|mac|macbook|nixos|android|iphone|ios|ipad|pixel|kindle|kobo|python|typescript
  |javascript|java|kotlin|swift|rust|go|golang|ruby|php|perl|haskell|elixir|scala|clojure|c|c\+\+|c#|lua|r|julia
  |matlab|sql|bash|zsh|fish|powershell|tmux|docker|podman|kubernetes|terraform|ansible|git|github|gitlab|bitbucket
  |jenkins|postgres|postgresql|mysql|sqlite|mongodb|redis|react|vue|svelte|angular|next\.?js|nuxt|django|flask|fastapi
  |rails|laravel|node|node\.?js|deno|bun|npm|pnpm|yarn|webpack|vite|pytorch|tensorflow|pandas|latex|markdown|anki
  |duolingo|strava|garmin|fitbit|paypal|venmo|revolut|monzo|uber|lyft|airbnb|chatgpt|claude|copilot|cursor|bitwarden
  |1password|lastpass|keepass|dropbox|onedrive|google drive|icloud|nextcloud|alexa|siri|homebrew|nix|wordpress
  |squarespace|wix|shopify|quickbooks|ynab|sap|salesforce|hubspot|zapier|qgis|autocad|solidworks|fusion 360|sketchup
  |scrivener|ulysses|google calendar|google maps|waze|aws|azure|gcp|heroku|vercel|netlify|dvorak|colemak|qwerty
  |a fountain pen|cash|bullet journal|pen and paper|social media)$
`;

const NO_TOOL = pattern()`
  ^(?:I|He|She|It|They|The|This|That|My|Mr|Mrs|Celsius|Fahrenheit|${CALENDAR}|English)$
`;

const NAME = '[\\p{Lu}\\d][\\p{L}\\p{N}.+#-]*';
const CAPITALISED = new RegExp(`^${NAME}(?: (?:${NAME}|of|and)){0,4}(?: ${NAME})?`, 'u');

const BEFORE_NAME =
  /^(?:[Tt]he|[Mm]y|[Oo]ur|[Aa]n?) (?=\p{Lu}|(?:mac|macbook|pixel|iphone|kindle|ipad|kobo)\b)/u;

/** The tools at the beginning of a text: names, or well-known tools in lower case. */
function toolsOf(text: string, isStrict: boolean): string[] {
  return thingsOf(text.trim().replace(BEFORE_NAME, '')).flatMap((thing) => {
    const [capitalised] = CAPITALISED.exec(thing) ?? [];
    const tool = withoutTail(capitalised ?? thing);
    if (NO_TOOL.test(tool) || LANGUAGES.has(tool.toLowerCase())) return [];
    if (capitalised && !isTool(thing)) return [tool];
    const isWord = !isStrict && thing.split(' ').length <= 3 && !GENERIC.test(thing);
    return isWord || isTool(thing) ? [thing] : [];
  });
}

export const isTool = (text: string): boolean => KNOWN_LOWER.test(text.trim());

const GENERIC = pattern('i')`
  ^(?:it|this|that|an?|the|my|your|one|drugs|public|force|words?|caution|both|only|all|some|same|different|other|more
  |less|too|fresh|plain|regular|normal|frozen|dried|two|three|four|\d.*|butter|oil|salt|sugar|flour|olive.*|coconut.*
  |garlic|water|milk|light|dark|them|those|these|time|up|half|over|low|high|lots|plenty|your.*|such|his|her|data|code
  |version.*|option.*|google translate|air|heat|steam|wood|bike|train|buses?|car|stairs|to)$
`;

function uses(value: string, whole: string, replaces: string | null = null): Draft {
  const says = whole.includes(value) && whole.length < 120 ? whole : value;
  return liking('PREFERENCE', value, `uses ${says}`, { replaces });
}

const quits = (value: string): Draft =>
  liking('PREFERENCE', value, `does not use ${value}`, NEGATIVE);

const FOR_A_MOMENT = pattern('i')`
  \b(?:for this (?:one|task|project|trip|letter|page)|just for today|today only|right now to|at the moment to|(?:this
  |that|your) (?:template|example|answer|recipe|formula|script|method))\b
`;
const useAll = (text: string, isStrict: boolean): Draft[] =>
  FOR_A_MOMENT.test(text) ? [] : toolsOf(text, isStrict).map((tool) => uses(tool, clauseOf(text)));

function switched(from: string, to: string): Draft[] {
  const [value] = toolsOf(to, false);
  const [before] = toolsOf(from, false);
  if (value === undefined) return [];
  return asCorrections(uses(value, clauseOf(to), before ? factKey('preference', before) : null));
}

/** Back at a place, or something picked up by the way. */
const BACK = pattern('u')`
  \bpicked up\b(?!.*again)|^(?:I|we) (?:am|are) back (?:in|to|on)(?! \p{Lu}| (?:using|vim|emacs|linux|windows|slack
  |whatsapp))
`;

export const TOOLS = [
  rule((from, { groups: { to = '', former } }) => switched(former ?? from, to))`
    We (?:have )?~(?:(?:switched|moved|migrated|changed|converted|transitioned|gone|went|jumped|swapped) (?:(?:over
    |everything|all (?:my|our) \w+|my \w+) ){0,4}from (?<from>[^,.;]+?) (?:over )?to|(?:replaced|swapped|traded
    |ditched|dropped|exchanged|abandoned|left|dumped) (?:in |out )?(?<former>[^,.;]+?) (?:with|for
    |in favou?r of)) (?<to>.+)
  `,
  rule((from, { groups: { to = '' } }) => switched(from, to))`
    We (?:have )?(?:now )?use (?<to>[^,.;]+?) instead of (?<from>[^,.;]+)
  `,
  rule((tool, { text }) => (/\bwent to\b/.test(text) ? null : asCorrections(useAll(tool, true))))`
    We (?:have |am |are )?~(?:switch(?:ed|ing)|migrated|(?:moved|gone) over|converted|moved everything
    |went) (?:back )?to[ ](?<tool>.+)
  `,
  rule((tool, { text }) =>
    BACK.test(text) ? null : asCorrections(useAll(tool.replace(/^using /, ''), false)),
  )`
    We (?:have |am |are )?~(?:back (?:on|to|with|using|in)|(?:gone|went|going|came|come) back to|been back on
    |returned to|reinstalled|re-?joined|started using|picked up|using(?=.+ again)) (?<tool>.+?(?: again)?)${STOP}
  `,
  rule((tool, { text }) => {
    const isVague = /^(?:I|we) (?:\w+ ){1,8}?(?:on|do|have|run|touch|support|work with) /;
    const isOther =
      /^(?:an?|the|any) (?:car|bike|wheelchair)/.test(tool) || /^I have never/.test(text);
    const used = upTo(tool, / (?:anymore|any longer)\b/);
    return isOther ? null : toolsOf(used, isVague.test(text)).map(quits);
  })`
    We (?:(?:do|am|are|have|did) not|(?:am |are )?no longer|(?:have )?never) ~(?:ever )?(?:use|used|using|do|run|on
    |have|touch|log into|support|(?:code|program|write) in|work with) (?<tool>.+)
  `,
  rule((tool, { text }) =>
    toolsOf(
      upTo(tool, / (?:account|subscription|app|profile|membership)\b/i),
      !/stopped using/.test(text),
    )
      .filter((name) => !/\bleft\b/.test(text) || KNOWN_LOWER.test(name))
      .map((name) => ({ ...quits(name), isCorrection: true })),
  )`
    We (?:have )?~(?:stopped (?:using|relying on)|(?:quit|gave up|given up)(?: on)?|deleted|uninstalled|ditched
    |dropped|dumped|abandoned|(?:got|gotten) rid of|left|cancell?ed|closed|deactivated|(?:am|are) done with
    |moved (?:away from|off)|phased out|retired) (?:(?:using|my|the|our) )?(?<tool>.+)
  `,
  rule((tool, { text }) => {
    const isPast = /^(?:I|we) used (?!to use)|\bused to\b/.test(text);
    if (isPast || /^(?:he|she|they|it|ze|xe)\/|pronoun/i.test(tool)) return null;
    const isLasting = /\b(?:for|every|daily|since|at work|as my|when|to)\b/.test(tool);
    return useAll(tool, !isLasting || /^(?:I|we) (?:\w+ ){0,4}?(?:am|are|have been) /.test(text));
  })`
    We (?:have )?(?:been )?~(?:(?:am |are )?using|used?|rely on|depend on|am relying on) ~(?<tool>.+)
  `,
  rule((tool) => useAll(tool, true))`
    We ~(?:code|program|develop|write (?:(?:all |most of )?(?:my|our) \w+|everything|code)|work|script
    |build (?:everything|(?:most )?things)|draw|edit|take (?:my )?notes|note everything|run|do (?:everything
    |(?:all |most of )?my \w+|most things)|keep (?:(?:all )?my|everything|track of .{2,20})(?: \w+)?|(?:track
    |plan) (?:my|everything)(?: \w+)?) ~(?:in|with|on|using) (?<tool>.+)
  `,
  rule((tool) => useAll(tool, true))`
    (?:my|our) (?:(?:current|main|daily|primary|default|new) ){0,4}(?:editor|ide|browser|phone|laptop|computer|os
    |shell|operating system|terminal|(?:note-?taking|notes|to-?do|calendar|music) app|search engine|(?:tech )?stack
    |e-?mail client|calendar|framework|(?:programming )?language|database|keyboard layout|distro|password manager
    |daily driver|setup|camera|car|tool|streaming service)(?: of choice)? (?:is|are|'s|runs|uses) ~(?:an? )?
    (?<tool>.+)
  `,
  rule((tool, { text, groups: { user = '' } }) =>
    KNOWN_LOWER.test(tool.trim()) && (user !== '' || / on /.test(text.slice(0, 20)))
      ? [uses(tool.trim(), tool)]
      : null,
  )`
    I am ~(?:an? |on (?:an? |the )?|in )(?<tool>[\p{L}\d+#. ]+?)(?<user> (?:user|dev(?:eloper)?|person|guy|girl|fan
    |convert))?${END}
  `,
];
