import { expect, test } from 'vitest'
import { createDeadline } from '../../shared/deadline.ts'

test('no work continues after its request was refused at the deadline', async () => {
  const never = new Promise<never>(() => {})
  // A timer can run up to 1 ms early, which depends on the fraction of a millisecond at which it starts.
  for (let fraction = 0; fraction < 1; fraction += 0.02) {
    while (Math.abs((performance.now() % 1) - fraction) > 0.01);
    const deadline = createDeadline(2)
    await expect(deadline.bound(never)).rejects.toMatchObject({ problem: 'service_unavailable' })
    expect(() => deadline.require(), `${fraction}`).toThrow()
  }
})
