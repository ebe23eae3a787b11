/**
 * What can be edited, and so has a version. A read answers with it as `ETag`, a write may name it in `If-Match`
 * (RFC 9110 §13.1.1), and lists out of which an editor is opened give it with each item as `version`.
 * The names are those of the audit trail's objects.
 */
export type VersionedThing =
  | 'branding'
  | 'session-settings'
  | 'security'
  | 'portal-app'
  | 'portal-oidc'
  | 'application'
  | 'member'
  | 'role'
  | 'faq-category'
  | 'faq-subcategory'
  | 'faq-record'
  | 'scim-credentials'
  | 'webhook';

/**
 * Why a write takes no version:
 * - `reads`: it changes nothing that anybody edits; it is a question that does not fit into an address.
 * - `creates`: it makes something new, which nobody can have changed.
 * - `deletes`: the thing is to go, whatever it is by now.
 * - `acts`: one step that is meant as such, whatever was on the screen: pause, send, sign out.
 * - `one field`: a single value of its owner's; what was typed last is meant.
 */
export type Unversioned = 'reads' | 'creates' | 'deletes' | 'acts' | 'one field';

/** Who changed a thing last. `suid` is '' where that was not a member, such as a directory. */
export interface ChangedBy {
  name: string;
  suid: string;
}

/** What a refused write says beside the refusal when the thing has changed meanwhile (HTTP 412). */
export interface StaleFields<Current> {
  /** The thing as it is now; its version is the `ETag` of the same answer. */
  current: Current;
  /** Null where that is not known. */
  changedBy: ChangedBy | null;
  /** ISO 8601; null where that is not known. */
  changedAt: string | null;
}
