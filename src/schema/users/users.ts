import { resolveCursorConnection } from '@pothos/plugin-relay';
import { listUsers } from '../../recall/listed.ts';
import { builder } from '../core/builder.ts';
import { listWords } from '../core/list-words.ts';
import { DEFAULT_PAGE, MAX_PAGE, nameCursor, nameInCursor } from '../core/page.ts';
import { asNode } from '../core/rows.ts';
import { checkedSearchText } from '../core/search-text.ts';
import { UserNode } from './user.ts';

type Node = typeof UserNode.$inferType;

builder.queryField('users', (t) =>
  t.connection({
    ...listWords({
      entries: 'users of this deployment',
      start: 'the first by name',
      end: 'the last by name',
      node: 'A user of this deployment, whose whole memory can be read from here.',
    }),
    type: UserNode,
    description:
      'All users of this deployment, by name. A forgotten user stays in the list, without turns. Requires an API key for all users: ' +
      'even the local user of an open server is refused.',
    authScopes: { everyone: true },
    args: {
      search: t.arg.string({
        description:
          'Return only users whose name contains this text; 1-200 characters, capitals make no difference.',
      }),
    },
    resolve: async (_root, args, { app }) => {
      const page = await resolveCursorConnection<Promise<Node[]>>(
        {
          args,
          defaultSize: DEFAULT_PAGE,
          maxSize: MAX_PAGE,
          toCursor: ({ id }: Node) => nameCursor(id),
        },
        async ({ before, after, limit, inverted }): Promise<Node[]> => {
          const rows = await listUsers(app, {
            search: args.search == null ? null : checkedSearchText('search', args.search),
            after: after === undefined ? null : nameInCursor(after),
            before: before === undefined ? null : nameInCursor(before),
            most: limit,
            isInverted: inverted,
          });
          return rows.map((row) => asNode(UserNode, row));
        },
      );
      // As the other lists: a page without entries has no cursors.
      const ends = page.edges.length === 0 ? { startCursor: null, endCursor: null } : {};
      return { ...page, pageInfo: { ...page.pageInfo, ...ends } };
    },
  }),
);
