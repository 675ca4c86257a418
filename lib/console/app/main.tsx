import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { isOfInputMethod } from '#lib/widget/page/input-method.ts';
import { watchInput } from './data/polling.ts';
import { queryClient } from './data/query-client.ts';
import { App } from './shell/app.tsx';
import { addressOf, useHash } from './shell/location.ts';

// No field, dialog or shortcut sees a key that an input method uses.
addEventListener('keydown', (event) => isOfInputMethod(event) && event.stopImmediatePropagation(), { capture: true });

watchInput(window, () => void queryClient.refetchQueries({ type: 'active', stale: true }));

const root = document.getElementById('console');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Router hook={useHash} hrefs={addressOf}>
          <App />
        </Router>
      </QueryClientProvider>
    </StrictMode>,
  );
}
