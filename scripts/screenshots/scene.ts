import type { TestPortal } from '@orchestrate/server/testing';
import type { Page } from '@playwright/test';

export type View = 'desktop' | 'phone';

/** What a scene has to work with: a freshly seeded portal whose clock stands still, and browsers that agree with it. */
export interface Studio {
  portal: TestPortal;
  /** The browser that is photographed. */
  page: Page;
  view: View;
  /** Opens the dashboard of a seeded person. */
  signIn(email: string): Promise<void>;
  /** Lets time pass on the server and in every browser. */
  pass(seconds: number): Promise<void>;
}

/** One state of one screen. */
export interface Scene {
  /** Names the picture's file; begins with the screen. */
  name: string;
  /** Where it is photographed; on both where absent. */
  on?: readonly View[];
  /** The whole page instead of what the window shows. */
  isWhole?: boolean;
  /** Brings the browser into the state. */
  stage(studio: Studio): Promise<void>;
}
