import type { KoaContextWithOIDC, Provider } from 'oidc-provider';

export type Body = KoaContextWithOIDC['oidc']['body'];

/** Lets the library read a body as `change` returns it. Call it before the provider's first request. */
export function changeBodies(provider: Provider, change: (ctx: KoaContextWithOIDC, body: Body) => Body): void {
  const bodies = new WeakMap<object, Body>();
  Object.defineProperty(provider.OIDCContext.prototype, 'body', {
    get(this: object): Body {
      return bodies.get(this);
    },
    set(this: { ctx: KoaContextWithOIDC }, body: Body) {
      bodies.set(this, change(this.ctx, body));
    },
  });
}
