import { foldLatin } from './company.ts';

/** Characters in the scenes. Their email addresses are derived from their names. */
export const CAST = {
  /** Administers the organisation. */
  admin: { first: 'Iris', last: 'Bergström', job: 'Administrator', role: 'SUPER_ADMIN' },
  /** Has a single phone. */
  employee: { first: 'Maya', last: 'Okafor', job: 'Designer', role: 'USER' },
  /** Has a phone and a laptop, and loses the phone. */
  traveller: { first: 'Tomás', last: 'Rivera', job: 'Sales', role: 'USER' },
  /** Works at the help desk. */
  agent: { first: 'Noor', last: 'Haddad', job: 'Help desk', role: 'HELPDESK_ADMIN' },
  /** Calls the help desk. */
  caller: { first: 'Henrik', last: 'Dahl', job: 'Finance', role: 'USER' },
  /** Starts today and has no registered phone yet. */
  newcomer: { first: 'Lena', last: 'Fischer', job: 'First day today', role: 'USER' },
} as const;

export type CastName = keyof typeof CAST;

/** Names of all users who don't appear in a scene. */
export const COLLEAGUES = [
  'Amara Eze',
  'Oliver Bennett',
  'Zofia Lewandowska',
  'Priya Raghavan',
  'Lukas Vogel',
  'Chloé Moreau',
  'Kenji Watanabe',
  'Sofía Navarro',
  'Emre Yılmaz',
  'Harriet Clarke',
  'Thabo Nkosi',
  'Linh Trần',
  'Jonas Lindqvist',
  'Beatriz Araújo',
  'Ananya Iyer',
  'Matthias Köhler',
  'Freya Solberg',
  'Yusuf Mansour',
  'Émile Girard',
  'Mina Park',
  'Tereza Novák',
  'Samuel Foster',
  'Ngozi Okonkwo',
  'Elif Demir',
  'Arjun Patel',
  'Hanna Nowak',
  'Joaquín Ibáñez',
  'Charlotte Hughes',
  'Bjørn Hansen',
  'Rania Khalil',
  'Théo Lefèvre',
  'Misaki Sato',
  'Caetano Silva',
  'Eszter Nagy',
  'Kwame Mensah',
  'Sabine Krüger',
] as const;

/** Returns the local part of a user's email address. */
export const mailboxOf = (name: string): string => foldLatin(name).replaceAll(/[^a-z]+/g, '.');
