import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { LogOut, Moon, Sun, UserRound } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { loadAllScreens, SCREENS } from '../screens/screens.ts';
import { Badge } from '../ui/badge.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useAddress, useOpenMemory } from './address.ts';
import { Away } from './away.tsx';
import { ChooseUser } from './choose-user.tsx';
import { type Caller, Gate } from './gate.tsx';
import { MemoryProvider } from './memory.tsx';
import { NotLive } from './not-live.tsx';
import { useSession } from './session.tsx';
import { useTheme } from './theme.ts';

/** How the link to the current screen looks. */
const CURRENT =
  'aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent';

/** What all screens share: who asks, whose memory it is, the way to the other screens. */
export const Layout = () => <Gate>{(caller) => <Frame caller={caller} />}</Gate>;

function Frame({ caller }: { caller: Caller }) {
  const [address, change] = useAddress();
  const { userId: known } = useSession();
  const userId = caller.userId ?? address.user ?? known;
  const isMisnamed = caller.userId !== null && address.user !== undefined;
  // A caller with one memory sees that one, and the address does not pretend another.
  useEffect(() => {
    if (isMisnamed) change({ user: undefined }, true);
    else if (caller.userId === null && address.user === undefined && known !== undefined) {
      change({ user: known }, true);
    }
  });
  return (
    <div className="flex h-full flex-col md:flex-row">
      <a
        href="#screen"
        className="sr-only focus:not-sr-only focus:absolute focus:z-10 focus:bg-surface focus:p-2"
      >
        Skip to the screen
      </a>
      <Navigation caller={caller} userId={userId} />
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <Away />
        {userId === undefined ? (
          <Main>
            <NoUser />
          </Main>
        ) : (
          <MemoryProvider key={userId} userId={userId} onRead={loadAllScreens}>
            <NotLive />
            <Main>
              <Outlet key={userId} />
            </Main>
          </MemoryProvider>
        )}
      </div>
    </div>
  );
}

const Main = ({ children }: { children: ReactNode }) => (
  <main id="screen" tabIndex={-1} className="min-h-0 flex-1 overflow-y-auto focus:outline-none">
    {children}
  </main>
);

function NoUser() {
  const open = useOpenMemory();
  return (
    <div className="mx-auto max-w-md p-6">
      <h1 className="mb-3 text-lg font-semibold">Whose memory?</h1>
      <ChooseUser onChoose={open} />
    </div>
  );
}

function Navigation({ caller, userId }: { caller: Caller; userId: string | undefined }) {
  const { theme, switchTheme } = useTheme();
  const { hasSecret, signOut } = useSession();
  const nav = useRef<HTMLElement>(null);
  const path = useLocation({ select: ({ pathname }) => pathname });
  // On a narrow screen they are a strip.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path has another link
  useEffect(() => {
    const current = nav.current?.querySelector('[aria-current=page]');
    current?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [path]);
  const ThemeIcon = theme === 'dark' ? Sun : Moon;
  return (
    <div className="flex shrink-0 items-center gap-1 border-line bg-surface max-md:border-b md:w-48 md:flex-col md:items-stretch md:border-r">
      <div className="flex items-center gap-2 px-4 py-3 font-semibold max-md:hidden">
        <Mark /> Mnemograph
      </div>
      <nav
        ref={nav}
        aria-label="Screens"
        className="flex min-w-0 flex-1 gap-0.5 overflow-x-auto px-2 max-md:py-1.5 md:flex-col md:overflow-y-auto"
      >
        {SCREENS.map(({ path, title, icon: Icon }) => (
          <Link
            key={path}
            to={`/${path}`}
            search={userId !== undefined && caller.userId === null ? { user: userId } : {}}
            className={`flex items-center gap-2 rounded-md px-2.5 py-1 text-muted hover:bg-raised hover:text-ink ${CURRENT}`}
          >
            <Icon aria-hidden className="size-4 shrink-0" />
            {title}
          </Link>
        ))}
      </nav>
      <div className="flex items-center gap-1 p-2 md:flex-wrap md:border-t md:border-line">
        <WhoseMemory caller={caller} userId={userId} />
        <IconButton label={theme === 'dark' ? 'Light theme' : 'Dark theme'} onClick={switchTheme}>
          <ThemeIcon aria-hidden className="size-4" />
        </IconButton>
        {hasSecret && (
          <IconButton label="Forget the key in this tab" onClick={() => signOut()}>
            <LogOut aria-hidden className="size-4" />
          </IconButton>
        )}
      </div>
    </div>
  );
}

/** What a key does not permit, in short. */
const ACCESS = { READ: 'read only', WRITE: 'no forgetting' } as const;

function WhoseMemory({ caller, userId }: { caller: Caller; userId: string | undefined }) {
  const open = useOpenMemory();
  const [isChoosing, setChoosing] = useState(false);
  const name = (
    <>
      <UserRound aria-hidden className="size-4 shrink-0" />
      <span dir="auto" className="truncate">
        {userId ?? 'no memory'}
      </span>
    </>
  );
  return (
    <div className="flex min-w-0 items-center gap-1.5 px-1 text-[13px] max-md:max-w-36 md:w-full">
      {caller.userId === null ? (
        <Button look="quiet" className="min-w-0 shrink" onClick={() => setChoosing(true)}>
          {name}
        </Button>
      ) : (
        name
      )}
      {caller.access !== 'ALL' && <Badge tone="warn">{ACCESS[caller.access]}</Badge>}
      {isChoosing && (
        <Dialog title="Whose memory?" onClose={() => setChoosing(false)}>
          <ChooseUser
            onChoose={(user) => {
              setChoosing(false);
              open(user);
            }}
          />
        </Dialog>
      )}
    </div>
  );
}

/** The mark of the project: a curve that falls and rises with each review. */
function Mark() {
  return (
    <svg aria-hidden viewBox="0 0 32 32" className="size-5 fill-none stroke-accent stroke-[3]">
      <path strokeLinecap="round" d="M5 23c5 0 4-14 9-14s4 14 9 14c2 0 3-2 4-5" />
    </svg>
  );
}
