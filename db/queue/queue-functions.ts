/**
 * Takes the next job for a worker, and adds the next job of its schedule in the same transaction. BullMQ sends a notification for that job, which
 * wakes all processes. Here each worker learns from its own look when a delayed job is due. Returns one row: the job or null, when the next delayed
 * job is due, and whether another job waits. A version that changes the function gives it another name, because processes of two versions can run.
 */
const takeJobBody = `
DECLARE
  schedule record;
  run bigint[];
BEGIN
  SELECT * INTO taken FROM move_to_active(p_queue, p_token, p_lock_ms, p_now, p_name, NULL, NULL);
  IF taken.scheduler_id IS NOT NULL THEN
    SELECT * INTO schedule FROM scheduler
      WHERE queue = p_queue AND scheduler_id = taken.scheduler_id AND every_ms IS NOT NULL
        AND taken.id = 'repeat:' || scheduler_id || ':' || next_run_ms
      FOR UPDATE;
    IF FOUND THEN
      run := scheduler_every_next_millis(
        schedule.next_run_ms, schedule.every_ms, p_now, coalesce(schedule.offset_ms, 0), schedule.start_date_ms);
      INSERT INTO job (queue, id, seq, name, state, data, opts, priority, delay_ms, max_attempts, added_at_ms, process_at_ms, scheduler_id)
        SELECT p_queue, next_id, nextval('job_seq'), schedule.name, 'delayed',
          coalesce(nullif(schedule.template_data, '{}'), taken.data),
          taken.opts || jsonb_build_object('timestamp', p_now, 'delay', run[1] - p_now, 'jobId', next_id),
          taken.priority, greatest(run[1] - p_now, 0), taken.max_attempts, p_now, run[1], schedule.scheduler_id
        FROM (SELECT 'repeat:' || schedule.scheduler_id || ':' || run[1]) AS next (next_id)
        ON CONFLICT (queue, id) DO NOTHING;
      UPDATE scheduler
        SET next_run_ms = run[1], iteration_count = iteration_count + 1, offset_ms = coalesce(offset_ms, run[2])
        WHERE queue = p_queue AND scheduler_id = schedule.scheduler_id;
    END IF;
  END IF;
  SELECT min(process_at_ms) INTO due_at FROM job WHERE queue = p_queue AND state = 'delayed';
  is_more := EXISTS (SELECT 1 FROM job WHERE queue = p_queue AND state = 'waiting');
  RETURN NEXT;
END`

/** The function that the migration adds to those of BullMQ. */
export const takeJobFunction = {
  signature: 'take_job(text, text, bigint, bigint, text)',
  body: takeJobBody,
  /** Creates the function in a schema of BullMQ. */
  create: (schema: string) => `
    CREATE OR REPLACE FUNCTION ${schema}.take_job(p_queue text, p_token text, p_lock_ms bigint, p_now bigint, p_name text)
      RETURNS TABLE (taken ${schema}.job, due_at bigint, is_more boolean) LANGUAGE plpgsql AS $body$${takeJobBody}$body$`,
}
