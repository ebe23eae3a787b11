import type { TestPortal } from '@orchestrate/server/testing';
import type { Page } from '@playwright/test';

/** Window size. `laptop` and `wide` are for layouts that depend on the desktop window's width. */
export type Viewport = 'desktop' | 'phone' | 'laptop' | 'wide';

/** A scene's tools: a newly seeded portal with a frozen clock, and browsers with the same clock. */
export interface Studio {
  portal: TestPortal;
  /** Browser page to capture. */
  page: Page;
  view: Viewport;
  /** Opens a seeded user's dashboard. */
  signIn(email: string): Promise<void>;
  /** Advances the clocks of the server and all browsers. */
  pass(seconds: number): Promise<void>;
}

/** A screen in a certain state. */
export interface Scene {
  /** Image file name, starting with the screen's name. */
  name: string;
  /** Window sizes to capture. Default: desktop and phone. */
  on?: readonly Viewport[];
  /** True to capture the whole page instead of the window. */
  isWhole?: boolean;
  /** Brings the screen into its state. */
  arrange(studio: Studio): Promise<void>;
}
