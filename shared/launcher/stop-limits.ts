/**
 * Time limits for stopping the processes of `npm start`. The web process ends before the workers that its requests wait for, and Redis
 * ends last. Everything ends within 10 s.
 */
export const stopWithinMs = { web: 4_000, others: 8_500, redis: 9_500 }
