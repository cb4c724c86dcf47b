import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from './app/queries.ts';
import { router } from './app/router.tsx';
import { SessionProvider } from './app/session.tsx';
import { startTheme } from './app/theme.ts';
import { loadAllScreens } from './screens/screens.ts';
import './styles.css';

startTheme();
window.addEventListener('load', () => void loadAllScreens());
createRoot(document.querySelector('#root') as HTMLElement).render(
  <StrictMode>
    <QueryClientProvider client={createQueryClient()}>
      <SessionProvider>
        <RouterProvider router={router} />
      </SessionProvider>
    </QueryClientProvider>
  </StrictMode>,
);
