import { ChakraProvider } from '@chakra-ui/react';
import { act, cleanup, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { BrowserRouter, Link, Route, Routes } from 'react-router-dom';
import { authStateOf, user } from '#testing.ts';
import { system } from '#theme.ts';
import { endSession, startSession } from '../session/session.ts';
import { NavigationGuard } from './navigation-guard.tsx';

/** Navigates from a previous page to a page with guarded input. All other paths render the heading "Elsewhere". */
export async function openGuardedPage(path: string, page: ReactNode): Promise<void> {
  startSession(authStateOf());
  window.history.replaceState(null, '', '/before');
  render(
    <ChakraProvider value={system}>
      <BrowserRouter>
        <NavigationGuard>
          <Routes>
            <Route path={`${path}/*`} element={page} />
            <Route path="/before" element={<Link to={path}>To the page</Link>} />
            <Route path="*" element={<h1>Elsewhere</h1>} />
          </Routes>
        </NavigationGuard>
      </BrowserRouter>
    </ChakraProvider>,
  );
  await user.click(screen.getByText('To the page'));
}

export function closeGuardedPage(): void {
  cleanup();
  act(endSession);
}
