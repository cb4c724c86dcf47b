import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { prefetchCaller } from './app/gate.tsx';
import { idle } from './app/idle.ts';
import { createQueryClient } from './app/queries.ts';
import { router } from './app/router.tsx';
import { SessionProvider } from './app/session.tsx';
import { startTheme } from './app/theme.ts';
import { formatTime } from './ui/time.tsx';
import './styles.css';

startTheme();
const queries = createQueryClient();
void prefetchCaller(queries);
// The first time that a browser writes takes it long.
void idle().then(() => formatTime(new Date(), 'clock'));
createRoot(document.querySelector('#root') as HTMLElement).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <SessionProvider>
        <RouterProvider router={router} />
      </SessionProvider>
    </QueryClientProvider>
  </StrictMode>,
);
