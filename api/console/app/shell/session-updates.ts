import { useEffect } from 'preact/hooks'
import { loadSession } from '../kit/session.ts'

/** The path of the tab after signing in for another tab. */
export const signedInPath = '/signed-in'

const channelName = 'console-session'

/** Notifies the other tabs of this browser of a new sign-in. */
export function notifyOtherTabs(): void {
  const channel = new BroadcastChannel(channelName)
  channel.postMessage('signed in')
  channel.close()
}

/** Loads the session when another tab reports a sign-in, or when the user returns to this tab. */
export function useSessionUpdates(): void {
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
