/** The tabs that GraphiQL opens with. Each works as it is on a fresh open server. */
export const exampleTabs = [
  {
    title: 'remember',
    query: `# Tell the memory something. An implicit channel such
# as sms finds its thread by itself. Every run stores the
# turns anew; with an idempotencyKey each, only once.
mutation Remember {
  remember(
    input: {
      channel: "sms"
      turns: [
        { text: "My cat Luna turned 4 today." }
        { role: ASSISTANT, text: "Happy birthday to Luna!" }
      ]
    }
  ) {
    ... on RememberPayload {
      turns {
        status
        turn {
          id
          number
          thread {
            id
            state
            turnCount
          }
        }
      }
    }
    ... on Error {
      code
      message
    }
  }
}
`,
  },
  {
    title: 'recall',
    query: `# Ask for it later: it is found by words and by meaning.
query Recall {
  recall(
    input: { query: "How old is the cat?", first: 3, neighbours: 1 }
  ) {
    ... on RecallPayload {
      vectors
      hits {
        kind
        rank
        score
        ... on TurnHit {
          turn {
            role
            text
            occurredAt
          }
          after {
            text
          }
        }
        ... on EpisodeHit {
          title
          summary
        }
        ... on FactHit {
          fact {
            statement
          }
        }
      }
      facts {
        key
        statement
      }
      markdown
    }
    ... on Error {
      code
      message
    }
  }
}
`,
  },
  {
    title: 'live events',
    query: `# Watch the memory at work: run this, then run Remember
# in another browser window.
subscription LiveEvents {
  memoryEvents {
    cursor
    kind
    at
    decision
    turns {
      text
    }
  }
}
`,
  },
];
