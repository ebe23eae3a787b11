import type { LucideIcon } from 'lucide-react';

/** The content of a page below `/static`. */
export interface Message {
  icon: LucideIcon;
  tone: 'success' | 'warning' | 'danger';
  title: string;
  text: string;
  /** Whether the next step is in the authenticator. */
  leadsToAuthenticator?: boolean;
  /** Whether the next step is on the organisation's sign-in page. */
  leadsToSignIn?: boolean;
  /** Whether people who are signed in may try again from where they are now. */
  leadsBack?: boolean;
}
