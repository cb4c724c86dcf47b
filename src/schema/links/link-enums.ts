import type { LINK_SIGNS, LinkCertainty } from '../../domain/links/link-outcome.ts';
import type { LinkVerdict } from '../../domain/links/linking.ts';
import type { LinkingSignal } from '../../domain/links/linking-signal.ts';
import { builder } from '../core/builder.ts';

export const LinkVerdictEnum = builder.enumType('LinkVerdict', {
  description: 'The decision on whether two threads are about the same thing.',
  values: {
    LINK: { description: 'The threads belong together.' },
    DONT_LINK: { description: 'The threads do not belong together.' },
  } satisfies Record<LinkVerdict, { description: string }>,
});

export const LinkCertaintyEnum = builder.enumType('LinkCertainty', {
  description: 'Whether the algorithm and the reasoner agreed on a decision.',
  values: {
    HIGH: { description: 'Both assessments agree.' },
    UNCERTAIN: {
      description:
        "The assessments differ, and the more confident one decided. To compare them, the reasoner's confidence of 0.5-1 is " +
        'scaled to 0-1, and a lower one counts as 0. If both are equal, the verdict is DONT_LINK.',
    },
  } satisfies Record<LinkCertainty, { description: string }>,
});

export const LinkOutcomeEnum = builder.enumType('LinkOutcome', {
  description: 'Whether a link decision turned out to be right.',
  values: {
    UNKNOWN: {
      description: 'No evidence has been found, or the outcome was removed with `rateLink`.',
    },
    CORRECT: { description: 'The decision was right.' },
    INCORRECT: { description: 'The decision was wrong.' },
  },
});

export const LinkSignEnum = builder.enumType('LinkSign', {
  description:
    'What showed that a link decision was right (CONTINUED, NEW_TOPIC, STARTED_AFRESH) or wrong (DENIED, SWITCHED_TOPIC, ' +
    'ASKED_BACK). RATED can mean either: see `outcome`.',
  values: {
    RATED: { description: 'The decision was rated with `rateLink`.' },
    CONTINUED: {
      description:
        'The decision to link was right: what the user said next was not found to be about something else.',
    },
    DENIED: {
      description: 'The decision to link was wrong: the user said that something else was meant.',
    },
    SWITCHED_TOPIC: {
      description:
        'The decision to link was wrong: what the user said next was about something else.',
    },
    ASKED_BACK: {
      description:
        'The decision not to link was wrong: the user asked for earlier talk, such as "What did we agree?". If the thread has ' +
        'several such decisions without a known outcome, only the one with the highest `fusedScore` gets this sign.',
    },
    STARTED_AFRESH: {
      description:
        'The decision not to link was right: the caller opened the later thread, or it began with a greeting, and what the ' +
        'user said next was not found to be about the earlier thread.',
    },
    NEW_TOPIC: {
      description:
        'The decision not to link was right: what the user said next was not found to be about the earlier thread. Without the ' +
        'fresh start of STARTED_AFRESH.',
    },
  } satisfies Record<(typeof LINK_SIGNS)[number], { description: string }>,
});

export const LinkingSignalEnum = builder.enumType('LinkingSignal', {
  description: 'A signal that two threads are about the same thing.',
  values: {
    KEYWORD: {
      value: 'keyword',
      description: 'Words that occur in both threads, where rare words count more.',
    },
    ENTITY: {
      value: 'entity',
      description:
        'Names, words of time and numbers that occur in both threads. A bare number of one or two digits does not count.',
    },
    TOPIC: { value: 'topic', description: 'Semantic similarity of the two threads.' },
    RECENCY: {
      value: 'recency',
      description: 'How soon the later thread followed the earlier one.',
    },
    CONTINUATION: {
      value: 'continuation',
      description: 'Wording that continues an earlier conversation, such as "and on Thursday?".',
    },
  } as const satisfies Record<
    Uppercase<LinkingSignal>,
    { value: LinkingSignal; description: string }
  >,
});

export const TuningScopeEnum = builder.enumType('TuningScope', {
  description: 'To whom a linking setting applies.',
  values: {
    USER: {
      description: 'Only one user. Their setting takes precedence over that of the deployment.',
    },
    DEPLOYMENT: { description: 'All users who have no setting of their own.' },
  },
});

export const TuningKindEnum = builder.enumType('TuningKind', {
  description: 'What a tuning run did.',
  values: {
    TUNED: {
      description:
        'It looked for a better setting, judged by link decisions whose outcome is known.',
    },
    ROLLED_BACK: { description: 'It put an earlier setting in force again, by `rollBackLinking`.' },
  },
});
