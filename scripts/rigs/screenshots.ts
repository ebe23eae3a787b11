import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildClient } from '../build-client.ts';
import { activityScenes } from './screenshots/activity-scenes.ts';
import { applicationScenes } from './screenshots/application-scenes.ts';
import { authenticatorScenes } from './screenshots/authenticator-scenes.ts';
import { callerScenes } from './screenshots/caller-scenes.ts';
import { dashboardScenes } from './screenshots/dashboard-scenes.ts';
import { deviceScenes } from './screenshots/device-scenes.ts';
import { faqScenes } from './screenshots/faq-scenes.ts';
import { inviteScenes } from './screenshots/invite-scenes.ts';
import { labScenes } from './screenshots/lab-scenes.ts';
import { takeMovingPicture } from './screenshots/moving-picture.ts';
import { orgSettingsScenes } from './screenshots/org-settings-scenes.ts';
import { passkeyScenes } from './screenshots/passkey-scenes.ts';
import { peopleScenes } from './screenshots/people-scenes.ts';
import { protocolScenes } from './screenshots/protocol-scenes.ts';
import { referenceScenes } from './screenshots/reference-scenes.ts';
import { roleScenes } from './screenshots/role-scenes.ts';
import { setupScenes } from './screenshots/setup-scenes.ts';
import { signInScenes } from './screenshots/sign-in-scenes.ts';
import { signUpScenes } from './screenshots/sign-up-scenes.ts';
import { stageScenes } from './screenshots/stage-scenes.ts';
import { staticScenes } from './screenshots/static-scenes.ts';
import { takePictures } from './screenshots/take-pictures.ts';
import { trustScenes } from './screenshots/trust-scenes.ts';
import { webhookScenes } from './screenshots/webhook-scenes.ts';

const PICTURES = join(import.meta.dirname, '../../screenshots');
const README_PICTURES = join(import.meta.dirname, '../../docs/pictures');

const scenes = [
  ...signInScenes,
  ...signUpScenes,
  ...dashboardScenes,
  ...deviceScenes,
  ...passkeyScenes,
  ...peopleScenes,
  ...protocolScenes,
  ...orgSettingsScenes,
  ...inviteScenes,
  ...callerScenes,
  ...applicationScenes,
  ...authenticatorScenes,
  ...referenceScenes,
  ...staticScenes,
  ...labScenes,
  ...setupScenes,
  ...stageScenes,
  ...roleScenes,
  ...faqScenes,
  ...activityScenes,
  ...webhookScenes,
  ...trustScenes,
];

/**
 * Pictures in the README and its pages, with their sources. The README's animation has its own script.
 */
const readme = {
  'sign-in.png': 'sign-in-scan.desktop.light.png',
  'dashboard.png': 'dashboard.desktop.light.png',
  'dashboard-dark.png': 'dashboard.desktop.dark.png',
  'authenticator.png': 'authenticator-request.phone.dark.png',
  'branding.png': 'branding.desktop.light.png',
};

const { values, positionals: words } = parseArgs({ options: { readme: { type: 'boolean' } }, allowPositionals: true });

/** Returns true for pictures that match one of the words, or that the README shows; without either, for all. */
function isWanted(name: string): boolean {
  if (values.readme) return Object.values(readme).some((picture) => picture.startsWith(`${name}.`));
  return words.length === 0 || words.some((word) => name.includes(word));
}

await buildClient();
if (words.length === 0 && !values.readme) rmSync(PICTURES, { recursive: true, force: true });
const { taken, failures } = await takePictures(
  scenes.filter(({ name }) => isWanted(name)),
  PICTURES,
);
if (values.readme && failures.length === 0) {
  mkdirSync(README_PICTURES, { recursive: true });
  for (const [name, source] of Object.entries(readme))
    copyFileSync(join(PICTURES, source), join(README_PICTURES, name));
  await takeMovingPicture(join(README_PICTURES, 'first-sign-in.webp'));
}
for (const failure of failures) console.error(failure);
console.log(`${taken} pictures in screenshots/${values.readme ? ', those of the README in docs/pictures/' : ''}`);
process.exitCode = failures.length === 0 ? 0 : 1;
