import { type OrgSettings, splitBannerText } from '@orchestrate/shared';
import { escapeHtml } from '#platform/http/answers/plain-page.ts';
import { toGerman } from '#platform/words/translate.ts';

/**
 * Styles of the first look, with the values of the client's theme (`web/src/theme/tokens.ts`). They are inside of the
 * root element, whose content the client replaces.
 */
const STYLE = `body{margin:0}
.l{--bg:#FAFAF9;--panel:#FFF;--fg:#1C1917;--muted:#57534E;--line:#E7E5E4;--bone:#E9E8E5;flex:1;display:flex;min-height:100dvh;background:var(--bg);color:var(--fg);font:400 .875rem/1.5 'Inter Variable','Inter Fallback',system-ui,-apple-system,'Segoe UI',sans-serif}
.dark .l{--bg:#121110;--panel:#1C1B19;--fg:#F5F5F4;--muted:#B5B0AA;--line:#2F2C29;--bone:#34312D}
.l,.l *{box-sizing:border-box;margin:0}
[data-person=out] .l-app,[data-person=in] .l-front{visibility:hidden}
html:not([lang=de]) .l [lang=de],[lang=de] .l [lang=en]{display:none}
.l i{display:block;border-radius:6px;background:var(--bone)}
.l-front{display:grid;grid-template-columns:minmax(0,43fr) minmax(0,57fr);background:var(--panel)}
.l-brand{display:flex;flex-direction:column;height:100dvh;padding:3.5rem;gap:3.5rem;overflow:hidden;background:var(--brand);color:var(--brand-contrast)}
.dark .l-brand{background:color-mix(in oklab,var(--brand) 16%,#1C1B19);color:var(--fg)}
.l-name{display:flex;align-items:center;gap:.75rem;font-size:1rem;font-weight:600;white-space:nowrap;overflow:hidden}
.l-name b{flex:none;display:grid;place-items:center;width:2.25rem;height:2.25rem;border-radius:8px;background:var(--brand-contrast);color:var(--brand)}
.dark .l-name b{background:var(--brand);color:var(--brand-contrast)}
.l-banner{display:flex;flex-direction:column;gap:1rem;margin-top:auto;max-width:32rem;font-size:1rem;white-space:pre-line}
.l-banner strong{font-size:2.75rem;line-height:1.3;letter-spacing:-.02em;overflow-wrap:anywhere}
.l-banner .long{font-size:2rem}
.l-small{font-size:.75rem}
.l-main{width:100%;max-width:440px;margin:0 auto;padding:max(2rem,24dvh) 1.25rem 1.5rem}
.l-main h1{margin-bottom:.375rem;font-size:1.5rem;font-weight:600;line-height:1.3;letter-spacing:-.02em;text-wrap:balance;overflow-wrap:anywhere}
.l-main img{display:block;height:3rem;max-width:13rem;margin-bottom:1.5rem;object-fit:contain;object-position:left}
.dark .l-main img{padding:.5rem;border-radius:8px;background:#FFF}
.l-main i{height:2rem;width:14rem;margin-bottom:.75rem}
.l-main p{color:var(--muted)}
.l-button{display:grid;place-items:center;height:3rem;margin-top:1.5rem;padding:0 1.5rem;border-radius:8px;background:var(--brand);color:var(--brand-contrast);font-size:1rem;font-weight:500}
.l-menu{flex:none;width:256px;background:var(--panel);border-inline-end:1px solid var(--line)}
[data-sidebar=collapsed] .l-menu{width:72px}
.l-menu i{height:.75rem;margin:1.5rem 1.25rem}
.l-screen{flex:1;min-width:0}
.l-head{height:64px;background:var(--panel);border-bottom:1px solid var(--line)}
.l-content{max-width:1280px;margin:0 auto;padding:1.75rem 2rem}
.l-content>i{height:1.95rem;width:15rem;margin-bottom:1.75rem}
.l-cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(13rem,1fr));gap:1rem}
.l-cards i{height:6rem;border-radius:12px;background:var(--panel);border:1px solid var(--line)}
@media (max-width:1023px){.l-front{display:block}.l-brand{flex-direction:row;align-items:center;height:64px;padding:0 1.25rem}.l-name b{width:2rem;height:2rem}.l-banner,.l-brand .l-small,.l-menu{display:none}.l-main{padding-top:3.5rem}.l-content{padding:1.25rem 1rem}}
@media (max-width:779px){.l-main{padding-top:2rem}}`;

/** Hides the look from assistive technology, because its parts can't be used until the client has replaced it. */
const look = (className: string, content: string): string =>
  `<div class="l ${className}" aria-hidden="true"><style>${STYLE}</style>${content}</div>`;

/** The portal's texts in each language. The page displays those of the language chosen in the browser. */
const inEachLanguage = (sentence: string): string =>
  `<span lang="en">${escapeHtml(sentence)}</span><span lang="de">${escapeHtml(toGerman(sentence))}</span>`;

/**
 * Returns the first look of an organisation's page, before the client is loaded: its brand, and the title and button of
 * the sign-in screen, or placeholders for another content.
 */
export function frontLook(settings: OrgSettings, isFront: boolean): string {
  const { name, title, logo, bannerText, loginButtonName, copyrightText, mobileAppEnabled } = settings;
  const { headline, rest } = splitBannerText(bannerText);
  const initial = escapeHtml([...name.trim()][0]?.toUpperCase() ?? '');
  const banner = `<strong${headline.length > 48 ? ' class="long"' : ''}>${escapeHtml(headline)}</strong><span>${escapeHtml(rest)}</span>`;
  const subtitle = mobileAppEnabled
    ? 'No password: your phone is all you need.'
    : 'No password: your computer is all you need.';
  const small = copyrightText && `<div class="l-small">${escapeHtml(copyrightText)}</div>`;
  const content = isFront
    ? `${logo ? `<img src="${escapeHtml(logo)}" alt="">` : ''}<h1>${inEachLanguage(title)}</h1><p>${inEachLanguage(subtitle)}</p><div class="l-button"><div>${inEachLanguage(loginButtonName)}</div></div>`
    : '<i></i><i></i>';
  return look(
    'l-front',
    `<div class="l-brand"><div class="l-name"><b>${initial}</b>${escapeHtml(name)}</div><div class="l-banner">${banner}</div>${small}</div><div class="l-main">${content}</div>`,
  );
}

/** The first look of a private screen: its frame, and placeholders for its content. */
export const APP_LOOK = look(
  'l-app',
  `<div class="l-menu">${'<i></i>'.repeat(9)}</div><div class="l-screen"><div class="l-head"></div><div class="l-content"><i></i><div class="l-cards">${'<i></i>'.repeat(4)}</div></div></div>`,
);
