import { t } from '@lingui/core/macro';
import { deleteDevice, replaceDevice } from '@orchestrate/shared';
import { encodeMemberSegment } from '../../lib/address/member-segment.ts';
import { paths } from '../../paths.ts';
import { CAST } from '../world/people.ts';
import { castAttribute, castId } from '../world/stage-world.ts';
import { answered, isMailed, refusedWith } from './happened.ts';
import type { Scene } from './scene.ts';

const { first, last } = CAST.traveller;
const member = encodeMemberSegment({
  primaryAttr: castAttribute('traveller'),
  suid: castId('traveller'),
  fullName: `${first} ${last}`,
});

export const lostPhone: Scene = {
  title: t`A lost phone`,
  short: t`Lost phone`,
  about: t`Tomás has left the phone in a taxi and rings the help desk. Noor takes it out of service.`,
  who: 'traveller',
  browserAs: 'agent',
  browserAt: () => paths.member(member),
  phoneOf: 'traveller',
  steps: [
    {
      title: t`The help desk reports it lost`,
      text: t`In the menu of the phone under Devices, choose Report lost, and confirm.`,
      at: 'browser',
      show: async ({ browser }) => {
        await browser.press({ begins: t`More actions for ${'Galaxy'}` });
        await browser.press(t`Report lost`);
        // The item of the menu and the button of the dialog begin alike.
        await browser.find('[role=alertdialog]');
        await browser.press({ begins: t`Report lost` });
      },
      isDone: (entry) => answered(deleteDevice)(entry) || answered(replaceDevice)(entry),
    },
    {
      title: t`The phone is worth nothing`,
      text: t`The finder sees that this device is no longer registered. Its key opens nothing.`,
      at: 'phone',
      isDone: refusedWith('DEVICE_NOT_TRUSTED'),
    },
    {
      title: t`Tomás is told`,
      text: t`An email says what was done, so no one can do it unnoticed.`,
      at: 'browser',
      isDone: isMailed('device-lost'),
    },
  ],
};
