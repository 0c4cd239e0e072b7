// A worker that waits: browsers slow down the timers of pages that are not visible, but not its own.
onmessage = ({ data: { id, time } }) => setTimeout(() => postMessage(id), time);
