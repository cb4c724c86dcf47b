import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { SCREENS } from '../screens/screens.ts';
import { Failed, Loading } from '../ui/states.tsx';
import { type Address, parseSearch, stringifySearch } from './address.ts';
import { Layout } from './layout.tsx';
import { BASE } from './place.ts';

const root = createRootRoute({
  component: Layout,
  validateSearch: (search): Address => search as Address,
  notFoundComponent: () => <p className="p-6">There is no such screen.</p>,
});

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: ({ search }) => {
    throw redirect({ to: '/live', search, replace: true });
  },
});

const screens = SCREENS.map(({ path, load }) =>
  createRoute({
    getParentRoute: () => root,
    path: `/${path}`,
    component: lazyRouteComponent(load),
    pendingComponent: () => <Loading />,
    errorComponent: ({ error, reset }) => (
      <div className="p-6">
        <Failed error={error as Error} onRetry={reset} />
      </div>
    ),
  }),
);

/** The table of addresses, below the path at which the console is served. */
export const router = createRouter({
  routeTree: root.addChildren([home, ...screens]),
  basepath: BASE,
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  // The frame is shown before the code of its screen is there.
  defaultPendingMs: 0,
  defaultPendingMinMs: 0,
});
