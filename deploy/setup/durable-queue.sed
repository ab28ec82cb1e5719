# Gives the action in a file of rsyslog's (60-duplog.conf and its siblings) a queue that is on disk from the first
# message on: 'duplog init --durable-queue', or by hand 'sed -i -f durable-queue.sed /etc/rsyslog.d/60-duplog.conf'.
# For rsyslog 8.2608 and newer. Not while duplog.qi is in rsyslog's work directory: rsyslog then refuses the queue,
# and nothing reaches Duplog.
s/queue\.type="LinkedList" queue\.filename="duplog" queue\.size="[0-9]*"/queue.type="segmentedDisk" queue.filename="duplog" queue.size="20000000"/
/queue\.highWatermark="[0-9]*" queue\.lowWatermark="[0-9]*"/d
/# What the broker can't take waits here, and on disk/,/# much\. 10g are/c\
         # Every message goes to disk, and leaves it when the broker has confirmed it: a crash of rsyslog loses none.\
         # A loss of power may lose what the kernel had not written yet; queue.syncQueueFiles="on" prevents that, at\
         # four times the price. queue.maxDiskSpace must be what the disk has room for: rsyslog loses what a full disk\
         # refuses. 10g are 12 million messages of 800 bytes, 20 minutes at 10,000/s.
/# The rest of the memory is also room while the disk is slow\./d
