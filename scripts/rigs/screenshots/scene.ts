import type { TestPortal } from '@orchestrate/server/testing';
import type { Page } from '@playwright/test';

/** `laptop` and `wide` are for what changes with the width of a desktop. */
export type View = 'desktop' | 'phone' | 'laptop' | 'wide';

/** What a scene works with: a freshly seeded portal with a stopped clock, and browsers whose clocks agree with it. */
export interface Studio {
  portal: TestPortal;
  /** The browser that is photographed. */
  page: Page;
  view: View;
  /** Opens the dashboard of a seeded person. */
  signIn(email: string): Promise<void>;
  /** Advances the clock on the server and in every browser. */
  pass(seconds: number): Promise<void>;
}

/** One state of one screen. */
export interface Scene {
  /** The picture's file name; begins with the screen. */
  name: string;
  /** Which view it is photographed in; desktop and phone where absent. */
  on?: readonly View[];
  /** The whole page instead of just the window. */
  isWhole?: boolean;
  /** Brings the browser into the state. */
  arrange(studio: Studio): Promise<void>;
}
