import { login } from '@orchestrate/shared';
import { labPaths } from '../src/lab/lab-paths.ts';
import { expectAccessible } from './fixtures/accessible.ts';
import { expect, test, WHOLE } from './fixtures/test.ts';

test(
  'passes axe in every section of the lab with populated lists',
  WHOLE,
  async ({ page, portal, signIn, complaints }) => {
    // axe also tries to run in the email's iframe, where scripts are blocked.
    complaints.expect(/Blocked script execution in 'about:srcdoc'/);
    test.setTimeout(300_000);
    await signIn('user@acme.test');
    for (const primaryAttr of ['user@acme.test', 'super.admin@acme.test'])
      await portal.call(login, { body: { orgCode: 'acme', mode: 'PUSH', primaryAttr } });
    for (const _ of [1, 2]) await portal.call(login, { body: { orgCode: 'acme', mode: 'QID' } });
    for (const path of ['/api/profile', '/api/user/apps'])
      await portal.fault({ match: { path }, answer: { resultName: 'FAILED' }, times: 1 });
    for (const email of ['helpdesk.admin@acme.test', 'security.admin@acme.test'])
      await portal.policy({ match: { email }, answer: 'ignore' });
    await portal.snapshot();
    await portal.snapshot();
    for (const [section, path] of Object.entries(labPaths)) {
      await page.goto(path);
      await expect(page.locator('[role=status][aria-label], [aria-busy=true]').filter({ visible: true })).toHaveCount(
        0,
      );
      await expectAccessible(page, section);
    }
  },
);
