import '@fontsource-variable/inter';
import '@fontsource-variable/jetbrains-mono';
import './lib/leaving/popstate-first.ts';
import './theme/page.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { initBrand } from './lib/brand/brand.ts';
import { initColourMode } from './lib/browser/colour-mode.ts';
import { preloadLinkedScreens } from './lib/browser/preload-screens.ts';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root element');

initBrand();
initColourMode();
preloadLinkedScreens();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
