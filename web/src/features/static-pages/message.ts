import type { LucideIcon } from 'lucide-react';

/** What a page below `/static` says. */
export interface Message {
  icon: LucideIcon;
  tone: 'success' | 'warning' | 'danger';
  title: string;
  text: string;
  /** Whether the authenticator is where it goes on. */
  leadsToAuthenticator?: boolean;
  /** Whether the organisation's sign-in page is where it goes on. */
  leadsToSignIn?: boolean;
  /** Whether somebody who is signed in may try again from where they are now. */
  leadsBack?: boolean;
}
