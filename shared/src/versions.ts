/**
 * Versioned objects, which can be edited. A read returns the version as `ETag`, a write can send the version in
 * `If-Match` (RFC 9110 §13.1.1), and lists that open an editor include it in each item as `version`. The names match
 * the audit trail's objects.
 */
export type VersionedObject =
  | 'branding'
  | 'session-settings'
  | 'security'
  | 'portal-app'
  | 'portal-oidc'
  | 'application'
  | 'app-provisioning'
  | 'member'
  | 'role'
  | 'faq-category'
  | 'faq-subcategory'
  | 'faq-record'
  | 'scim-credentials'
  | 'webhook'
  | 'api-resource'
  | 'scim-schema'
  | 'mail-text'
  | 'mail-language'
  | 'configuration';

/**
 * Reasons why a write has no version:
 * - `reads`: nothing is changed; the request is a query too large for a URL.
 * - `creates`: a new object is created, which no one else can have changed.
 * - `deletes`: the object is deleted regardless of its state.
 * - `acts`: a single action that applies regardless of what the screen showed: pause, send, sign out.
 * - `one field`: a single value that only its owner sets; the last write wins.
 */
export type Unversioned = 'reads' | 'creates' | 'deletes' | 'acts' | 'one field';

/** The author of an object's last change. `suid` is '' if the author isn't a member, e.g. a directory. */
export interface ChangedBy {
  name: string;
  suid: string;
}

/** Additional fields in the refusal of a write if the object has changed since it was read (HTTP 412). */
export interface StaleFields<Current> {
  /** The object's current state. Its version is the `ETag` of the same response. */
  current: Current;
  /** The author of the last change. null if unknown. */
  changedBy: ChangedBy | null;
  /** Time of the last change in ISO 8601 format. null if unknown. */
  changedAt: string | null;
}
