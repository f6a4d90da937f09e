import { useEffect } from 'preact/hooks'
import { loadSession } from '../kit/session.ts'

/** Where who signs in for another tab arrives. */
export const signedInPath = '/signed-in'

const channelName = 'console-session'

/** Tells the other tabs of this browser that somebody is signed in again. */
export function tellOtherTabs(): void {
  const channel = new BroadcastChannel(channelName)
  channel.postMessage('signed in')
  channel.close()
}

/** Looks whether the session is back when another tab says so, or when somebody comes back to this one. */
export function useSessionNews(): void {
  useEffect(() => {
    const channel = new BroadcastChannel(channelName)
    const look = () => void loadSession()
    channel.onmessage = look
    addEventListener('focus', look)
    return () => {
      channel.close()
      removeEventListener('focus', look)
    }
  }, [])
}
