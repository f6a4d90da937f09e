import type { Area } from '../../kit/area.ts'
import { session } from '../../kit/session.ts'
import { walletTitle } from './texts.ts'

export const walletArea: Area = {
  path: '/wallet',
  title: walletTitle,
  group: 'issuing',
  roles: ['issuer', 'managed-issuer'],
  isShown: () => session.value?.hasTestWallet === true,
  host: 'tenant',
  screens: { '/wallet': () => import('./wallet.tsx') },
}
