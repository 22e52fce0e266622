package io.vtagent.demo.fileio;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Pipes of the operating system, one for each reader of {@link FileIoDemo}. */
interface Pipes extends AutoCloseable {

    void read(int number) throws IOException;

    void write(int number) throws IOException;

    @Override
    void close() throws IOException;

    final class OfFiles implements Pipes {

        private final Path folder = Files.createTempDirectory("file-io");
        private final List<RandomAccessFile> files = new ArrayList<>();

        OfFiles(int count) throws IOException, InterruptedException {
            List<String> command = new ArrayList<>(List.of("mkfifo"));
            for (int i = 0; i < count; i++) {
                command.add(folder.resolve(Integer.toString(i)).toString());
            }
            if (new ProcessBuilder(command).inheritIO().start().waitFor() != 0) {
                throw new IOException("mkfifo cannot make pipes in " + folder);
            }
            for (String fifo : command.subList(1, command.size())) {
                files.add(
                        new RandomAccessFile(
                                fifo, "rw")); // opened both ways, it does not wait for another end
            }
        }

        @Override
        public void read(int number) throws IOException {
            files.get(number).read(); // holds a carrier on every JDK
        }

        @Override
        public void write(int number) throws IOException {
            files.get(number).write(1);
        }

        @Override
        public void close() throws IOException {
            for (int i = 0; i < files.size(); i++) {
                files.get(i).close();
                Files.delete(folder.resolve(Integer.toString(i)));
            }
            Files.delete(folder);
        }
    }

    final class OfChannels implements Pipes {

        private final List<Pipe> pipes = new ArrayList<>();

        OfChannels(int count) throws IOException {
            for (int i = 0; i < count; i++) {
                pipes.add(Pipe.open());
            }
        }

        @Override
        public void read(int number) throws IOException {
            pipes.get(number).source().read(ByteBuffer.allocate(1));
        }

        @Override
        public void write(int number) throws IOException {
            pipes.get(number).sink().write(ByteBuffer.wrap(new byte[1]));
        }

        @Override
        public void close() throws IOException {
            for (Pipe pipe : pipes) {
                pipe.source().close();
                pipe.sink().close();
            }
        }
    }
}
