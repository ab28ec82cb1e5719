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

/**
 * Provides the rules about imports and tests that each module's ArchitectureTest applies to its own
 * code.
 */
public final class ArchitectureRules {
  /** The packages of the module {@code testkit}. */
  private static final String[] TEST_TOOLS = {
    "io.duplog.collector..", "io.duplog.rig..", "io.duplog.parts..", "io.duplog.testkit.."
  };

  /** Excludes the tests of other modules, whether they are in a folder or in a jar. */
  private static final ImportOption WITHOUT_TESTS =
      location ->
          new ImportOption.DoNotIncludeTests().includes(location)
              && !location.contains("-tests.jar");

  private ArchitectureRules() {}

  /** Returns the classes of a package of the module, without its tests. */
  public static JavaClasses production(String rootPackage) {
    return new ClassFileImporter()
        .withImportOption(WITHOUT_TESTS)
        .importPackages(rootPackage)
        .that(DescribedPredicate.not(resideInAnyPackage(TEST_TOOLS)));
  }

  /** Returns the classes of the test tools. */
  public static JavaClasses toolsOfTests() {
    return new ClassFileImporter()
        .withImportOption(WITHOUT_TESTS)
        .importPackages("io.duplog")
        .that(resideInAnyPackage(TEST_TOOLS));
  }

  /** Returns the module's tests of a package. */
  public static JavaClasses tests(String rootPackage) {
    return new ClassFileImporter()
        .withImportOption(new ImportOption.OnlyIncludeTests())
        .withImportOption(new ImportOption.DoNotIncludeJars())
        .importPackages(rootPackage);
  }

  /**
   * Returns the names directly below the root package. A test can thus detect a new package without
   * a rule.
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
   * Requires that the package and its subpackages use no package of io.duplog but themselves and
   * these.
   */
  public static ArchRule seesOnly(String name, String... others) {
    String[] allowed =
        Stream.concat(Stream.of(name), Stream.of(others))
            .map(other -> "io.duplog." + other + "..")
            .toArray(String[]::new);
    DescribedPredicate<JavaClass> forbidden =
        resideInAPackage("io.duplog..").and(DescribedPredicate.not(resideInAnyPackage(allowed)));
    return noClasses()
        .that()
        .resideInAPackage("io.duplog." + name + "..")
        .should()
        .dependOnClassesThat(forbidden)
        .because(
            name + " may use only " + (others.length == 0 ? "nothing" : String.join(", ", others)));
  }

  /**
   * Returns one rule for each layer of a package: no class of the layer uses a class of a higher
   * layer.
   *
   * @param floors layers from the top to the bottom, names with spaces between them
   * @throws AssertionError if a class of the package has no layer
   */
  public static List<ArchRule> hasFloors(String packageName, JavaClasses all, String... floors) {
    List<ArchRule> rules = new ArrayList<>();
    DescribedPredicate<JavaClass> higherLayers = DescribedPredicate.alwaysFalse();
    for (String floor : floors) {
      String names = floor.replace(' ', '|');
      DescribedPredicate<JavaClass> layer = home(packageName, "(" + names + ")(\\$|$)");
      rules.add(
          noClasses()
              .that(layer)
              .should()
              .dependOnClassesThat(higherLayers)
              .allowEmptyShould(floor.equals(floors[0]))
              .because("they are above " + floor));
      higherLayers = higherLayers.or(layer);
    }
    DescribedPredicate<JavaClass> allLayers = higherLayers.or(home(packageName, "package-info"));
    assertThat(all.that(resideInAPackage(packageName).and(DescribedPredicate.not(allLayers))))
        .as("classes without a layer")
        .isEmpty();
    return rules;
  }

  /**
   * Requires that only one small group of classes uses a library: those of a package whose names
   * have this beginning.
   */
  public static ArchRule onlyThere(String library, String packageName, String simpleName) {
    return onlyThere(library, home(packageName, simpleName));
  }

  /** Requires that only these groups of classes use a library. */
  public static ArchRule onlyThere(String library, DescribedPredicate<JavaClass> home) {
    return noClasses()
        .that(DescribedPredicate.not(home))
        .should()
        .dependOnClassesThat(resideInAPackage(library));
  }

  /** Selects the classes of a package whose simple names have this beginning. */
  public static DescribedPredicate<JavaClass> home(String packageName, String simpleName) {
    return resideInAPackage(packageName).and(nameMatching(".*\\." + simpleName + "[^.]*"));
  }

  /** Forbids dependency cycles between packages. */
  public static ArchRule packagesAreFreeOfCycles() {
    return slices().matching("io.duplog.(**)").should().beFreeOfCycles();
  }

  /** Forbids class names that don't describe the class. */
  public static ArchRule namesSayWhatAClassIs() {
    return noClasses()
        .should()
        .haveNameMatching(".*(Util|Utils|Helper|Helpers|Manager|Impl)(\\$.*)?")
        .orShould()
        .resideInAnyPackage("..impl..", "..util..", "..model..", "..common..");
  }

  /**
   * Requires an explicit locale. Otherwise the host's locale would determine the digits in output
   * that another program reads.
   */
  public static ArchRule programsSetTheirLocale() {
    return classes()
        .that()
        .haveSimpleNameEndingWith("Main")
        .should()
        .callMethod(Locale.class, "setDefault", Locale.class);
  }

  /**
   * Forbids skipped and sleeping tests. A skipped test proves nothing. A sleeping test is slow or
   * unreliable. The rig polls its servers, also for programs.
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
