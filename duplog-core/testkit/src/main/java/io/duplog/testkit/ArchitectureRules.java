package io.duplog.testkit;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.originOwner;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Holds the rules of every module; each module's ArchitectureTest applies them to itself. */
public final class ArchitectureRules {
  /** The packages of the module {@code testkit}. */
  private static final String[] TOOLS_OF_TESTS = {
    "io.duplog.collector..", "io.duplog.rig..", "io.duplog.parts..", "io.duplog.testkit.."
  };

  /** Leaves out the tests of other modules, whether they come as a folder or as a jar. */
  private static final ImportOption NO_TESTS =
      location ->
          new ImportOption.DoNotIncludeTests().includes(location)
              && !location.contains("-tests.jar");

  private ArchitectureRules() {}

  /** Returns the classes of a package of the module, without its tests. */
  public static JavaClasses production(String rootPackage) {
    return new ClassFileImporter()
        .withImportOption(NO_TESTS)
        .importPackages(rootPackage)
        .that(DescribedPredicate.not(resideInAnyPackage(TOOLS_OF_TESTS)));
  }

  /** The tools of tests. */
  public static JavaClasses toolsOfTests() {
    return new ClassFileImporter()
        .withImportOption(NO_TESTS)
        .importPackages("io.duplog")
        .that(resideInAnyPackage(TOOLS_OF_TESTS));
  }

  /** Returns the module's tests of a package. */
  public static JavaClasses tests(String rootPackage) {
    return new ClassFileImporter()
        .withImportOption(new ImportOption.OnlyIncludeTests())
        .withImportOption(new ImportOption.DoNotIncludeJars())
        .importPackages(rootPackage);
  }

  /**
   * Returns the names right below the root package, so that a new package has to find its place.
   */
  public static Set<String> packagesBelow(String rootPackage, JavaClasses classes) {
    Set<String> names = new TreeSet<>();
    for (JavaClass type : classes) {
      if (type.getPackageName().startsWith(rootPackage + ".")) {
        names.add(type.getPackageName().substring(rootPackage.length() + 1).split("\\.", -1)[0]);
      }
    }
    return names;
  }

  /**
   * Requires that the package, with those below it, knows nothing of io.duplog but itself and
   * these.
   */
  public static ArchRule seesOnly(String name, String... others) {
    String[] allowed =
        Stream.concat(Stream.of(name), Stream.of(others))
            .map(other -> "io.duplog." + other + "..")
            .toArray(String[]::new);
    DescribedPredicate<JavaClass> foreign =
        resideInAPackage("io.duplog..").and(DescribedPredicate.not(resideInAnyPackage(allowed)));
    return noClasses()
        .that()
        .resideInAPackage("io.duplog." + name + "..")
        .should()
        .dependOnClassesThat(foreign)
        .because(
            name + " is to see " + (others.length == 0 ? "nothing" : String.join(", ", others)));
  }

  /**
   * Returns one rule for each floor of a package: nothing on it uses a class of a floor above it.
   *
   * @param floors from the top to the bottom, names with spaces between them
   * @throws AssertionError if a class of the package has no floor
   */
  public static List<ArchRule> hasFloors(String packageName, JavaClasses all, String... floors) {
    List<ArchRule> rules = new ArrayList<>();
    DescribedPredicate<JavaClass> above = DescribedPredicate.alwaysFalse();
    for (String floor : floors) {
      String names = floor.replace(' ', '|');
      DescribedPredicate<JavaClass> here = home(packageName, "(" + names + ")(\\$|$)");
      rules.add(
          noClasses()
              .that(here)
              .should()
              .dependOnClassesThat(above)
              .allowEmptyShould(floor.equals(floors[0]))
              .because("they are above " + floor));
      above = above.or(here);
    }
    DescribedPredicate<JavaClass> known = above.or(home(packageName, "package-info"));
    assertThat(all.that(resideInAPackage(packageName).and(DescribedPredicate.not(known))))
        .as("classes without a floor")
        .isEmpty();
    return rules;
  }

  /**
   * Requires that only one small group of classes knows a library: those of a package whose names
   * begin so.
   */
  public static ArchRule onlyThere(String library, String packageName, String simpleName) {
    return onlyThere(library, home(packageName, simpleName));
  }

  /** Requires that only these groups of classes know a library. */
  public static ArchRule onlyThere(String library, DescribedPredicate<JavaClass> home) {
    return noClasses()
        .that(DescribedPredicate.not(home))
        .should()
        .dependOnClassesThat(resideInAPackage(library));
  }

  /** Selects the classes of a package whose simple names begin so. */
  public static DescribedPredicate<JavaClass> home(String packageName, String simpleName) {
    return resideInAPackage(packageName).and(nameMatching(".*\\." + simpleName + "[^.]*"));
  }

  /** Forbids that a package needs another that needs it, however far around. */
  public static ArchRule packagesAreFreeOfCycles() {
    return slices().matching("io.duplog.(**)").should().beFreeOfCycles();
  }

  /** Forbids names which show that their author did not know what the class is. */
  public static ArchRule namesSayWhatAClassIs() {
    return noClasses()
        .should()
        .haveNameMatching(".*(Util|Utils|Helper|Helpers|Manager|Impl)(\\$.*)?")
        .orShould()
        .resideInAnyPackage("..impl..", "..util..", "..model..", "..common..");
  }

  /**
   * Requires an explicit locale, because the host's would decide which digits another program
   * reads.
   */
  public static ArchRule programsSetTheirLocale() {
    return classes()
        .that()
        .haveSimpleNameEndingWith("Main")
        .should()
        .callMethod(Locale.class, "setDefault", Locale.class);
  }

  /**
   * Forbids skipped tests, which prove nothing, and sleeping ones, which prove it slowly or
   * sometimes. The rig polls what it starts, for programs too.
   */
  public static ArchRule testsNeitherSkipNorSleep() {
    return noClasses()
        .should()
        .dependOnClassesThat()
        .haveNameMatching(
            "org\\.junit\\.jupiter\\.api\\.(Disabled|Assumptions|condition\\..*)"
                + "|org\\.assertj\\.core\\.api\\.Assumptions")
        .orShould()
        .callMethod(Thread.class, "sleep", long.class)
        .orShould()
        .callMethod(TimeUnit.class, "sleep", long.class)
        .orShould()
        .callMethodWhere(
            JavaCall.Predicates.target(owner(type(LockSupport.class)))
                .and(originOwner(DescribedPredicate.not(resideInAPackage("io.duplog.rig")))));
  }
}
