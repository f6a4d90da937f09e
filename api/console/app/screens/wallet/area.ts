import type { Area } from '../../kit/area.ts'
import { session } from '../../kit/session.ts'
import { walletTexts } from './texts.ts'

export const walletArea: Area = {
  path: '/wallet',
  title: walletTexts.testWallet,
  group: 'issuing',
  isShown: () => session.value?.hasTestWallet === true,
  host: 'tenant',
  screens: { '/wallet': () => import('./wallet.tsx') },
}
