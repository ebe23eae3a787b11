import type { KoaContextWithOIDC, Provider } from 'oidc-provider';

export type Body = KoaContextWithOIDC['oidc']['body'];

/**
 * Passes every parsed form through `rewrite` before the library reads the form, using a setter for
 * `OIDCContext.body`.
 * No option: the library parses, checks and uses a body without a hook in between, and warns about bodies that a
 * middleware has parsed. Checked with oidc-provider 9.13.3.
 */
export function rewriteBodies({ OIDCContext }: Provider, rewrite: (ctx: KoaContextWithOIDC, body: Body) => Body): void {
  Object.defineProperty(OIDCContext.prototype, 'body', {
    // The library assigns the body once per request.
    set(this: { ctx: KoaContextWithOIDC }, body: Body) {
      Object.defineProperty(this, 'body', { value: rewrite(this.ctx, body), writable: true });
    },
  });
}
